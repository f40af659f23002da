export { bootstrap, type Welcome } from './bootstrap.js';
