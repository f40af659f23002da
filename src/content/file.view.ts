import { PageOf } from '../common/page.dto.js';
import type { FileEntry } from '../revisions/index.js';

/** Size of an image. */
export class DimensionsView {
  /** Pixels. */
  width!: number;
  /** Pixels. */
  height!: number;
}

/** A file of a space. */
export class FileView {
  id!: string;
  name!: string;
  contentType!: string;
  /** Address of the bytes; it needs no token and works until the end of the next full hour. */
  downloadURL!: string;
  /** Bytes. */
  size!: number;
  /** Of images. */
  dimensions?: DimensionsView;
}

export class FilePage extends PageOf(FileView) {}

/** Shapes `file`; `downloadURL` is a signed address of its bytes. */
export function toFile(file: FileEntry, downloadURL: string): FileView {
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL,
    size: file.size,
    ...(file.dimensions && { dimensions: file.dimensions }),
  };
}
