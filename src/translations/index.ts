export { TranslationsModule } from './translations.module.js';
