import { isEmoji, isStorable, lengthOf } from '../common/validation.js';
import type { PageFields } from './dto/page-fields.dto.js';

/** Longest title of a page, in characters. */
export const MAX_TITLE = 1000;

/** What a page shows besides its text; an empty emoji, icon or description means none. */
export type PageMetadata = Omit<PageFields, 'slug' | 'layout' | 'cover'>;

/** What front matter says, each key as it was read. */
export type FrontMatter = Readonly<Record<string, string | boolean>>;

/**
 * What the front matter of a text says of its page (decision B.5). Values that a page cannot have are passed over: the
 * text is kept as it is, whatever its front matter holds.
 */
export function fromFrontMatter(matter: FrontMatter | undefined): PageMetadata {
  if (!matter) return {};
  const text = (name: string, max: number): string | undefined => {
    const value = Object.hasOwn(matter, name) ? matter[name] : undefined;
    return typeof value === 'string' && lengthOf(value) <= max && isStorable(value) ? value : undefined;
  };
  const flag = (name: string): boolean | undefined => {
    const value = Object.hasOwn(matter, name) ? matter[name] : undefined;
    return typeof value === 'boolean' ? value : undefined;
  };
  const emoji = text('emoji', 50);
  const title = text('title', MAX_TITLE);
  const found: Record<keyof PageMetadata, string | boolean | undefined> = {
    title: title?.trim() ? title : undefined,
    description: text('description', 300),
    icon: text('icon', 50),
    emoji: emoji !== undefined && (emoji === '' || isEmoji(emoji)) ? emoji : undefined,
    hidden: flag('hidden'),
    noIndex: flag('noIndex'),
    noRobotsIndex: flag('noRobotsIndex'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** `fields` without those that are empty: an empty text stands for none. */
export function withoutEmpty<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<T>;
}

/** The title that a text gives itself, if a page can have it. */
export function ownTitle(text: { title?: string } | undefined): string | undefined {
  const title = text?.title;
  return title !== undefined && title.trim() !== '' && lengthOf(title) <= MAX_TITLE && isStorable(title)
    ? title
    : undefined;
}
