import GithubSlugger from 'github-slugger';
import type { Root, RootContent } from 'hast';
import { textOf } from './html-tree.js';

/**
 * Which anchor a heading of `tree` has as Markdown, by the names that the page itself gives it: ids on the heading, in
 * it, and right before it.
 */
export function anchorsOf(tree: Root): Record<string, string> {
  const slugger = new GithubSlugger();
  const anchors = new Map<string, string>();
  let names: string[] = [];
  const visit = (node: Root | RootContent): void => {
    if (node.type === 'text' && node.value.trim() !== '') names = [];
    if (node.type !== 'element' && node.type !== 'root') return;
    names.push(...namesOf(node));
    if (node.type === 'element' && /^h[1-6]$/.test(node.tagName)) {
      const slug = slugger.slug(textOf(node));
      const inner = node.children.flatMap((child) => namesOf(child));
      for (const name of [...names, ...inner]) anchors.set(name, slug);
      names = [];
    } else {
      for (const child of node.children) visit(child);
    }
  };
  visit(tree);
  return Object.fromEntries(anchors);
}

function namesOf(node: Root | RootContent): string[] {
  if (node.type !== 'element') return [];
  return [node.properties.id, node.properties.name].filter((name): name is string => typeof name === 'string');
}
