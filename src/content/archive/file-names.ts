/** Bytes of a name as a whole, and of one segment: what all usual file systems take. */
const MAX_NAME = 1000;
const MAX_SEGMENT = 255;
/** Names that some systems take for devices, whatever follows the first dot. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Whether `name` can be written below a folder on every usual system, and stays there: segments joined with `/`, none
 * of them empty, `.` or `..`, and nothing that a system takes for something else.
 */
export function isSafeName(name: string): boolean {
  return (
    Buffer.byteLength(name) <= MAX_NAME &&
    name.isWellFormed() &&
    name.split('/').every((segment) => isSafeSegment(segment))
  );
}

function isSafeSegment(segment: string): boolean {
  return (
    segment !== '' &&
    Buffer.byteLength(segment) <= MAX_SEGMENT &&
    !/[\p{Cc}<>:"\\|?*]|[. ]$/u.test(segment) &&
    !DEVICES.test(segment)
  );
}

/** Gives out names of files, each once; those that differ in case only are the same, as many systems have it. */
export class FileNames {
  private readonly taken = new Set<string>();
  /** Folders that names lie in: no file may have such a name. */
  private readonly folders = new Set<string>();

  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.add(name);
  }

  /** `wanted` if it is safe and free, else `fallback` (which is safe), numbered until it is free. */
  take(wanted: string | undefined, fallback: string): string {
    if (wanted !== undefined && isSafeName(wanted) && this.isFree(wanted)) return this.add(wanted);
    const [, stem = fallback, ending = ''] = /^(.*?)(\.[^./]*)?$/s.exec(fallback) ?? [];
    for (let number = 0; ; number += 1) {
      // before the ending; but where a file stands in the place of a folder, only another folder helps
      const numbered = this.liesInFile(fallback)
        ? `${String(number)}/${fallback}`
        : `${stem}-${String(number)}${ending}`;
      const name = number === 0 ? fallback : numbered;
      if (this.isFree(name)) return this.add(name);
    }
  }

  private isFree(name: string): boolean {
    const key = keyOf(name);
    return !this.taken.has(key) && !this.folders.has(key) && !this.liesInFile(name);
  }

  private liesInFile(name: string): boolean {
    return foldersOf(keyOf(name)).some((folder) => this.taken.has(folder));
  }

  private add(name: string): string {
    const key = keyOf(name);
    this.taken.add(key);
    for (const folder of foldersOf(key)) this.folders.add(folder);
    return name;
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The folders that a file of that name lies in, from the top. */
function foldersOf(name: string): string[] {
  const segments = name.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
