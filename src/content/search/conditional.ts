import type { Section } from './section-source.js';

/** Where what a condition decides about begins and ends in a text. */
const TAG = /\{%-?\s*(if|endif)\b/g;

/**
 * `sections`, those of one page, without what stands under a condition: what anybody may be told of. Left out is what no
 * text or heading remains of, and a section that begins under a condition.
 */
export function unconditional(sections: readonly Section[]): Section[] {
  let depth = 0;
  return sections.flatMap((section) => {
    if (depth === 0 && !section.text.includes('{%')) return [section];
    const isHidden = depth > 0;
    const kept: string[] = [];
    let from = 0;
    for (const { 1: tag, index } of section.text.matchAll(TAG)) {
      // within another tag
      if (index < from) continue;
      if (depth === 0) kept.push(section.text.slice(from, index));
      depth = tag === 'if' ? depth + 1 : Math.max(0, depth - 1);
      const end = section.text.indexOf('%}', index);
      from = end < 0 ? section.text.length : end + 2;
    }
    if (depth === 0) kept.push(section.text.slice(from));
    const text = kept.join(' ').trim();
    return isHidden || (text === '' && section.title === '') ? [] : [{ ...section, text }];
  });
}
