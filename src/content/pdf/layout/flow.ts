import { type Box, inset, lineBox, type Paint } from './boxes.js';
import { linesOf, type Run } from './lines.js';
import type { Block } from './nodes.js';
import type { Frame } from './scene.js';

/** Text is never set narrower than that, however deep it is nested. */
export const NARROWEST = 140;

/** The lines of `runs` as boxes. */
export function* textBoxes(
  runs: Iterable<Run>,
  { scene, width }: Pick<Frame, 'scene' | 'width'>,
  align?: 'start' | 'center' | 'end',
): Generator<Box> {
  for (const line of linesOf(runs, { fonts: scene.fonts, width })) yield lineBox(line, width, align);
}

/** The boxes of `blocks` further right, on what `paint` draws. */
export function nested(blocks: Iterable<Block>, frame: Frame, wanted: number, paint?: Paint): Iterable<Box> {
  const by = Math.min(wanted, Math.max(0, frame.width - NARROWEST));
  return inset(frame.boxes(blocks, { ...frame, width: frame.width - by }), by, paint);
}
