import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that work carries with it, within what it carried before. */
interface Frame {
  readonly what: object;
  readonly value: unknown;
  readonly outer: Frame | undefined;
}

/** One for all that is carried: each storage slows every promise of the process. */
const frames = new AsyncLocalStorage<Frame>();

/** What work carries with it, through all that it waits for, without handing it on: as an AsyncLocalStorage, and cheaper than several. */
export class Carried<T> {
  /** Runs `work`, and all that it begins, with `value`. */
  run<R>(value: T, work: () => R): R {
    return frames.run({ what: this, value, outer: without(this, frames.getStore()) }, work);
  }

  /** What the nearest {@link run} around whoever asks was given; `undefined` outside of any. */
  get(): T | undefined {
    return frameOf(this, frames.getStore())?.value as T | undefined;
  }
}

function frameOf(what: object, frames: Frame | undefined): Frame | undefined {
  let frame = frames;
  while (frame && frame.what !== what) frame = frame.outer;
  return frame;
}

/** `frames` without that of `what`, which is covered: work that begins itself again and again must not carry more each time. */
function without(what: object, frame: Frame | undefined): Frame | undefined {
  if (!frame || !frameOf(what, frame)) return frame;
  return frame.what === what ? frame.outer : { ...frame, outer: without(what, frame.outer) };
}
