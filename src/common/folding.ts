/** `text` as it is compared where case does not matter: `STRASSE`, `Straße` and `straße` are the same. */
export function fold(text: string): string {
  // upper case spells out what lower case leaves as it is; a sigma at the end of a word is a sigma
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A pattern that finds `text` as it stands, whatever its characters mean in patterns. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
