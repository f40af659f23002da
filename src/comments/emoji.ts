import { isEmoji } from '../common/validation.js';

let oneEmoji: RegExp | undefined;
/** Characters that are pictures only when a variation selector says so. */
const UNQUALIFIED = /(?=\p{Emoji})(?!\p{Emoji_Presentation})(.)(?!\u{FE0F})/gu;

/**
 * What tells an emoji from all others, however it is spelled: literally or as code points in hexadecimal (decision 1.20),
 * with or without variation selectors. `undefined` for anything but a single emoji.
 */
export function emojiKey(text: unknown): string | undefined {
  if (!isEmoji(text)) return undefined;
  const literal = literalOf(text);
  if (literal === undefined) return undefined;
  // made with the first reaction: it has 3,000 alternatives. The compiler knows no properties of strings in literals of its target
  oneEmoji ??= new RegExp('^(?:\\p{RGI_Emoji}|\\p{Extended_Pictographic})$', 'v');
  const isOne = oneEmoji.test(literal) || oneEmoji.test(literal.replace(UNQUALIFIED, '$1\u{FE0F}'));
  return isOne ? literal.replaceAll('\u{FE0F}', '') : undefined;
}

/** The characters that `text` stands for; `undefined` when it names code points that are none. */
function literalOf(text: string): string | undefined {
  if (!/^[0-9a-fA-F]{2,6}(-[0-9a-fA-F]{2,6})*$/.test(text)) return text;
  const points = text.split('-').map((point) => parseInt(point, 16));
  // two halves of a surrogate pair would come together as a character
  return points.some((point) => point >= 0xd800 && point <= 0xdfff) ? undefined : String.fromCodePoint(...points);
}
