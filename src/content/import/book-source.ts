/** Where the files of a folder of Markdown are read from. */
export interface BookSource {
  /** The bytes of a file, or `undefined` when there is none of that name. */
  read(name: string): Promise<Buffer | undefined>;
  /** The names of all files, with `/` between the segments. */
  list(): Promise<string[]>;
}
