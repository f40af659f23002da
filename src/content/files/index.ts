import { FileLinks } from './file-links.js';
import { FilesInvariants } from './files.invariants.js';
import { FilesService } from './files.service.js';

export { FileLinks } from './file-links.js';
export { FilePage, FileView, toFile } from './file.view.js';
export { FilesController } from './files.controller.js';
export { FilesService, type NewFile } from './files.service.js';

/** What stores files and leads to their bytes. */
export const fileProviders = [FileLinks, FilesService, FilesInvariants];
