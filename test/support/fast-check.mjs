import fc from 'fast-check';

// the ordinary run tries the same cases each time, so that it tells of a change and not of chance; the thorough run
// looks for new ones, and prints the seed of what it finds
if (!process.env.COLOPHON_THOROUGH) fc.configureGlobal({ seed: 20261120 });
