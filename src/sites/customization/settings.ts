import { contentLink, contentRef } from './content-link.js';
import { type Full, group, initialOf, leaf, loose, overlaid, type Part, type Patch } from './parts.js';
import {
  address,
  color,
  condition,
  emoji,
  flag,
  list,
  membersOf,
  nullable,
  object,
  oneOf,
  otherwise,
  type Shape,
  ShapeError,
  text,
} from './shape.js';

/** Links in the header of a site. */
export const MAX_HEADER_LINKS = 50;
/** Links below a link of the header, or in a group of the footer. */
export const MAX_NESTED_LINKS = 50;
/** Groups of links in the footer. */
export const MAX_FOOTER_GROUPS = 20;

const FONTS = [
  ...(['ABCFavorit', 'Inter', 'Roboto', 'RobotoSlab', 'OpenSans', 'SourceSansPro', 'Lato', 'Ubuntu'] as const),
  ...(['Raleway', 'Merriweather', 'Overpass', 'NotoSans', 'IBMPlexSerif', 'Poppins', 'FiraSans'] as const),
] as const;
const MONOSPACE_FONTS = [
  ...(['FiraCode', 'IBMPlexMono', 'JetBrainsMono', 'SourceCodePro', 'RobotoMono', 'SpaceMono'] as const),
  ...(['DMMono', 'Inconsolata'] as const),
] as const;

const themedColor = object({ light: color, dark: color });
const themedAddress = object({ light: address, dark: address });
const links = list(contentLink, MAX_NESTED_LINKS);
const title = text(2, 128);

const headerLink = object(
  { title: text(0, 256), to: nullable(contentRef), links: otherwise(links, []) },
  { style: oneOf(['link', 'button-primary', 'button-secondary']), condition },
);
const announcement = object(
  { enabled: flag, message: title, style: oneOf(['info', 'warning', 'danger', 'success']) },
  { link: contentLink },
);

/** What browsers show for a site; nothing of its own in an empty object. */
export type Favicon =
  | { icon: { light: string; dark: string }; emoji?: undefined }
  | { icon?: undefined; emoji: string }
  | { icon?: undefined; emoji?: undefined };

const favicon: Shape<Favicon> = {
  described: {
    oneOf: [
      object({ icon: themedAddress }).described,
      object({ emoji }).described,
      { type: 'object', additionalProperties: false },
    ],
  },
  read: (value, at) => {
    const members = membersOf(value, at);
    if (members.has('icon') && members.has('emoji')) throw new ShapeError(`${at} must have icon or emoji, not both`);
    if (members.has('icon')) return object({ icon: themedAddress }).read(value, at);
    return members.has('emoji') ? object({ emoji }).read(value, at) : {};
  },
};

const colors = (light: string, dark: string) => leaf(themedColor, { light, dark });
const isOn = (initial: boolean) => group({ enabled: leaf(flag, initial) });
const place = () => group({ url: loose(address) });

/** The settings of a site (decision 3.A), with what each is where nobody has set it. */
export const SETTINGS = group({
  title: loose(title),
  styling: group({
    theme: leaf(oneOf(['clean', 'muted', 'bold', 'gradient']), 'clean'),
    primaryColor: colors('#1D4ED8', '#60A5FA'),
    infoColor: colors('#0E7490', '#22D3EE'),
    successColor: colors('#15803D', '#4ADE80'),
    warningColor: colors('#B45309', '#FBBF24'),
    dangerColor: colors('#B91C1C', '#F87171'),
    tint: leaf(object({ color: themedColor }), { color: { light: '#6B7280', dark: '#9CA3AF' } }),
    corners: leaf(oneOf(['straight', 'rounded', 'circular']), 'rounded'),
    depth: leaf(oneOf(['subtle', 'flat']), 'subtle'),
    links: leaf(oneOf(['default', 'accent']), 'default'),
    font: leaf(oneOf(FONTS), 'Inter'),
    monospaceFont: leaf(oneOf(MONOSPACE_FONTS), 'IBMPlexMono'),
    background: leaf(oneOf(['plain', 'match']), 'plain'),
    icons: leaf(oneOf(['regular', 'solid', 'duotone', 'light', 'thin']), 'regular'),
    sidebar: group({
      background: leaf(oneOf(['default', 'filled']), 'default'),
      list: leaf(oneOf(['default', 'pill', 'line']), 'default'),
    }),
    search: leaf(oneOf(['prominent', 'subtle']), 'prominent'),
  }),
  internationalization: group({
    locale: leaf(oneOf(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br']), 'en'),
  }),
  favicon: leaf(favicon, {}),
  header: group({
    preset: leaf(oneOf(['default', 'bold', 'contrast', 'custom', 'none']), 'default'),
    logo: loose(themedAddress),
    backgroundColor: loose(themedColor),
    linkColor: loose(themedColor),
    links: leaf(list(headerLink, MAX_HEADER_LINKS), []),
  }),
  footer: group({
    logo: loose(themedAddress),
    groups: leaf(list(object({ title: text(0, 256), links }), MAX_FOOTER_GROUPS), []),
    copyright: loose(text(0, 300)),
  }),
  announcement: loose(announcement),
  themes: group({ default: leaf(oneOf(['light', 'dark']), 'light'), toggeable: leaf(flag, true) }),
  pdf: isOn(true),
  feedback: isOn(false),
  pagination: isOn(true),
  trademark: isOn(false),
  advancedCustomization: isOn(false),
  ai: group({ mode: leaf(oneOf(['none', 'search', 'assistant']), 'none') }),
  git: group({ showEditLink: leaf(flag, false) }),
  pageActions: group({ externalAI: leaf(flag, true), markdown: leaf(flag, true) }),
  externalLinks: group({ target: leaf(oneOf(['self', 'blank']), 'self') }),
  privacyPolicy: place(),
  socialPreview: place(),
  insights: group({ trackingCookie: leaf(flag, true) }),
});

/** What somebody has set of the settings. */
export type CustomizationPart = Part<typeof SETTINGS>;
/** A change of what is set; `null` takes a setting back. */
export type CustomizationPatch = Patch<typeof SETTINGS>;
/** All settings as they are in force. */
export type SiteCustomization = Full<typeof SETTINGS> & { title: string };

const INITIAL = initialOf(SETTINGS);

/** The settings of a site with the title `siteTitle`, of which somebody has set `part`. */
export function settingsOf(siteTitle: string, part: CustomizationPart): SiteCustomization {
  return overlaid(SETTINGS, { title: siteTitle, ...INITIAL }, part);
}

/** The settings `below` with `part` in their place. */
export function overridden(below: SiteCustomization, part: CustomizationPart): SiteCustomization {
  return overlaid(SETTINGS, below, part);
}
