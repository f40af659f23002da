/** Lowest layer first. A module may import modules of earlier layers only; docs/architecture.md draws the same table. */
const layers = [
  ['common'],
  ['config', 'conditions'],
  ['database'],
  ['jobs', 'blobs', 'outbound', 'audit', 'users', 'entity-tags'],
  ['auth'],
  ['organizations', 'idempotency'],
  ['teams', 'openapi', 'translations', 'revisions', 'webhooks'],
  ['spaces', 'sso'],
  ['content'],
  ['change-requests'],
  ['comments', 'sites'],
  ['integrations'],
  ['system', 'cli'],
];
const mayImport = (module, level) => [...layers.slice(0, level).flat(), module].join('|');

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'known-modules',
      severity: 'error',
      from: { path: `^src/(?!(${layers.flat().join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'public-api-only',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/(?!common/)[^/]+/.+', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'engine-stands-alone',
      comment: 'The embedded database knows nothing of the service.',
      severity: 'error',
      from: { path: '^src/database/embedded/' },
      to: { path: '^src/', pathNot: '^src/database/embedded/' },
    },
    {
      name: 'pure-policies-and-views',
      severity: 'error',
      from: { path: '\\.(policy|view)\\.ts$' },
      to: {
        path: '\\.(service|guard|controller|module)\\.ts$|^node_modules/mongoose/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'controllers-know-no-database',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '^node_modules/(@nestjs/)?mongoose/' },
    },
    ...layers.flatMap((modules, level) =>
      modules.map((module) => ({
        name: `layers-${module}`,
        severity: 'error',
        from: { path: `^src/${module}/` },
        to: { path: '^src/[^/]+/', pathNot: `^src/(${mayImport(module, level)})/` },
      })),
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
