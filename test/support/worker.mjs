// mistakes are shown where they stand in TypeScript
process.setSourceMapsEnabled(true);
// what the tests start are programs of their own: they do not read TypeScript
delete process.env.NODE_OPTIONS;
