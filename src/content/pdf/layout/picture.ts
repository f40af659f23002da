/** An image that the PDF holds; its size in pixels, as it is shown. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** What the library draws. */
  readonly source: object;
}
