import type { Imported } from './import/imported.js';

/** What an import came to. */
export class ImportView {
  /** Id of the revision that holds what was added. */
  revision!: string;
  /** Documents and files that were added. */
  importedResources!: number;
  /** Documents and files that were found within the limits. */
  totalResources!: number;
}

/** Shapes the result of an import. */
export function toImport({ revision, imported, total }: Imported): ImportView {
  return { revision, importedResources: imported, totalResources: total };
}
