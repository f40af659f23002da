import { PageOf } from '../../common/page.dto.js';
import type { FileEntry } from '../../revisions/index.js';

/** Size of an image. */
export class DimensionsView {
  /** Pixels. */
  width!: number;
  /** Pixels. */
  height!: number;
}

/** Where a file stands in a Git repository. */
export class FileGitView {
  oid!: string;
  path!: string;
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
  /** Of PNG, JPEG, GIF and WebP images. */
  dimensions?: DimensionsView;
  git?: FileGitView;
}

export class FilePage extends PageOf(FileView) {}

/** Shapes `file`; `downloadURL` is a signed address of its bytes, `metadata` whether Git metadata is wanted. */
export function toFile(file: FileEntry, downloadURL: string, metadata = true): FileView {
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL,
    size: file.size,
    ...(file.dimensions && { dimensions: { width: file.dimensions.width, height: file.dimensions.height } }),
    ...(metadata && file.git && { git: { oid: file.git.oid, path: file.git.path } }),
  };
}
