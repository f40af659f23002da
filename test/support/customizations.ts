/** What a site with this title looks like when nobody has set anything (decision 3.A). */
export const initialCustomization = (title: string) => ({
  title,
  styling: {
    theme: 'clean',
    primaryColor: { light: '#1D4ED8', dark: '#60A5FA' },
    infoColor: { light: '#0E7490', dark: '#22D3EE' },
    successColor: { light: '#15803D', dark: '#4ADE80' },
    warningColor: { light: '#B45309', dark: '#FBBF24' },
    dangerColor: { light: '#B91C1C', dark: '#F87171' },
    tint: { color: { light: '#6B7280', dark: '#9CA3AF' } },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] as object[] },
  footer: { groups: [] as object[] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  pagination: { enabled: true },
  trademark: { enabled: false },
  advancedCustomization: { enabled: false },
  ai: { mode: 'none' },
  git: { showEditLink: false },
  pageActions: { externalAI: true, markdown: true },
  externalLinks: { target: 'self' },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: true },
});

export const images = { light: 'https://example.org/light.png', dark: 'https://example.org/dark.png' };
export const colors = { light: '#fff', dark: '#000000' };
export const url = { kind: 'url', url: 'https://example.org/' };

const link = { title: 'A', to: null, links: [] };
/** Settings that are refused, with the message. */
export const MISTAKES: [object, string | RegExp][] = [
  [{ title: 'x' }, 'title must be 2 to 128 characters long'],
  [{ title: null }, 'title must be a string'],
  [{ styling: [] }, 'styling must be an object'],
  [{ styling: null }, 'styling must be an object'],
  [{ styling: { theme: null } }, 'styling.theme must be one of: clean, muted, bold, gradient'],
  [{ styling: { font: { id: 'x', custom: true } } }, /^styling\.font must be one of: ABCFavorit, Inter/],
  [
    { styling: { primaryColor: { light: '#fff' } } },
    'styling.primaryColor.dark must be a colour in hexadecimal, as #1d4ed8 or #fff',
  ],
  [{ styling: { tint: { color: { light: 'red', dark: '#000' } } } }, /^styling\.tint\.color\.light must be a colour/],
  [{ styling: { sidebar: { list: 'dots' } } }, 'styling.sidebar.list must be one of: default, pill, line'],
  [{ internationalization: { locale: 'it' } }, /^internationalization\.locale must be one of: en, fr/],
  [{ favicon: { icon: images, emoji: '📘' } }, 'favicon must have icon or emoji, not both'],
  [{ favicon: { emoji: 'x' } }, /^favicon\.emoji must be an emoji/],
  [
    { favicon: { icon: { ...images, dark: 'javascript:alert(1)' } } },
    /^favicon\.icon\.dark must be an absolute http or https address/,
  ],
  [{ header: { logo: { light: 'data:image/png,', dark: '' } } }, /^header\.logo\.light must be an absolute http/],
  [{ header: { links: {} } }, 'header.links must be a list'],
  [{ header: { links: Array(51).fill(link) } }, 'header.links must hold at most 50 items'],
  [
    { header: { links: [{ ...link, links: Array(51).fill({ title: '', to: url }) }] } },
    'header.links.0.links must hold at most 50 items',
  ],
  [{ header: { links: [link, { ...link, to: undefined }] } }, 'header.links.1.to must be an object'],
  [{ header: { links: [{ ...link, title: 5 }] } }, 'header.links.0.title must be a string'],
  [{ header: { links: [{ ...link, style: 'big' }] } }, /^header\.links\.0\.style must be one of/],
  [{ header: { links: [{ ...link, condition: 'a =' }] } }, /^header\.links\.0\.condition .*character \d+/],
  [{ header: { links: [{ ...link, condition: '' }] } }, 'header.links.0.condition must be 1 to 1024 characters long'],
  [{ header: { links: [{ ...link, to: { kind: 'page' } }] } }, /^header\.links\.0\.to\.page must be an id/],
  [{ header: { links: [{ ...link, to: { kind: 'door' } }] } }, /^header\.links\.0\.to\.kind must be one of: url, page/],
  [
    { header: { links: [{ ...link, to: { kind: 'url', url: 'ftp://x' } }] } },
    /^header\.links\.0\.to\.url must be an absolute/,
  ],
  [{ footer: { groups: Array(21).fill({ title: '', links: [] }) } }, 'footer.groups must hold at most 20 items'],
  [
    { footer: { groups: [{ title: '', links: [{ title: 'x'.repeat(65), to: url }] }] } },
    'footer.groups.0.links.0.title must be 0 to 64 characters long',
  ],
  [{ footer: { copyright: 'x'.repeat(301) } }, 'footer.copyright must be 0 to 300 characters long'],
  [{ announcement: { enabled: true, style: 'info' } }, 'announcement.message must be a string'],
  [{ announcement: { enabled: true, message: 'Hi', style: 'loud' } }, /^announcement\.style must be one of/],
  [{ pdf: { enabled: 'yes' } }, 'pdf.enabled must be true or false'],
  [{ privacyPolicy: { url: '/privacy' } }, /^privacyPolicy\.url must be an absolute/],
  [
    { title: 'x', ai: { mode: 'all' } },
    'title must be 2 to 128 characters long; ai.mode must be one of: none, search, assistant',
  ],
];
