/** How the slug of a description is written, in 1 to 100 characters. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether `value` is spelled like the slug of a description. */
export const isSlug = (value: string): boolean => value.length <= 100 && SLUG.test(value);
