import { PdfLinks } from './pdf-links.js';
import { PdfService } from './pdf.service.js';
import { PdfSource } from './pdf-source.js';

export { PdfController } from './pdf.controller.js';
export { PdfLinks } from './pdf-links.js';
export { PdfView } from './pdf.view.js';

/** What prints content. */
export const pdfProviders = [PdfLinks, PdfSource, PdfService];
