/** Whether `text` can be stored and come back as it is: it has no NUL and no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}
