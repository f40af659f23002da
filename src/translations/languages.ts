/** Languages that translations may be in, by their codes (decision 3.61). */
export const LANGUAGES = [
  ...(['en', 'fr', 'de', 'es', 'it', 'pt', 'ru', 'ja', 'zh', 'ko', 'ar', 'hi'] as const),
  ...(['nl', 'pl', 'tr', 'sv', 'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th'] as const),
  ...(['vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv', 'et', 'sl'] as const),
];

export type Language = (typeof LANGUAGES)[number];
