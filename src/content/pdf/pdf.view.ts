/** Where a PDF is found. */
export class PdfView {
  /** Works for an hour, without a token. */
  url!: string;
}
