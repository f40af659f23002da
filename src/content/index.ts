export { ContentModule } from './content.module.js';
export { EditService } from './edit.service.js';
export { BookImporter, type BookSource, type ImportResult } from './import/book.importer.js';
export { IndexSweep } from './index-sweep.js';
