import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'data/', 'src/metadata.ts'] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A type-only import of an injected class breaks Nest's injection silently.
      '@typescript-eslint/consistent-type-imports': 'off',
      // Modules and Mongoose schemas are classes that carry decorators only.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Records, bodies and views are classes only to be described: none has methods that a literal or a spread lacks.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'It refuses names with umlauts once it is hot: use parsedUrl().',
        },
      ],
      eqeqeq: 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    // supertest types an answer's body as `any`; tests compare it whole instead of trusting a type
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  { files: ['**/*.{js,mjs,cjs}'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        ['Buffer', 'URL', 'console', 'fetch', 'performance', 'process', 'setTimeout'].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-restricted-syntax': 'off' },
  },
  prettier,
);
