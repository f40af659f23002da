import type { ContentRef } from '../../../revisions/index.js';
import type { Box } from './boxes.js';
import type { Fonts } from './fonts.js';
import type { Block, Fragment } from './nodes.js';
import type { Picture } from './picture.js';
import type { Style } from './style.js';

/** Where a reference leads: to an address, or to a place in the PDF; both are absent when it leads nowhere. */
export interface Lead {
  /** What it is called. */
  title?: string;
  href?: string;
  goTo?: string;
}

/** What the text of one chapter is printed with. */
export interface Scene {
  fonts: Fonts;
  lead(ref: ContentRef): Lead;
  /** The image that `ref` names, if it can be shown. */
  picture(ref: ContentRef): Picture | undefined;
  /** The blocks of a reusable content. */
  included(ref: ContentRef): readonly Block[];
  /** Puts a note at the end of the chapter; answers its number. */
  note(fragments: readonly Fragment[]): number;
  /** The name of the place with this anchor. */
  placeOf(anchor: string): string;
}

/** Where blocks are printed. */
export interface Frame {
  scene: Scene;
  /** Points. */
  width: number;
  style: Style;
  /** How many lists are around it. */
  lists: number;
  /** How many reusable contents are around it. */
  inclusions: number;
  /** The boxes of blocks, one below the other. */
  boxes: (blocks: Iterable<Block>, frame: Frame) => Iterable<Box>;
}
