// Writes src/metadata.ts, what the API description takes from types and docstrings, without a whole build.
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { compilerOptions } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
const { options } = compilerOptions.plugins.find(({ name }) => name === '@nestjs/swagger');
const { config } = ts.readConfigFile('tsconfig.build.json', (file) => ts.sys.readFile(file));
const parsed = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());

new PluginMetadataGenerator().generate({
  visitors: [new ReadonlyVisitor({ ...options, pathToSource: 'src' })],
  outputDir: 'src',
  tsProgramRef: ts.createProgram(parsed.fileNames, parsed.options),
});
