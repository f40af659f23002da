import { callerOf } from '../../scripts/service.mjs';

/** Longest that a test of several starts may take on a busy machine, ms. */
export const PATIENCE = 90_000;

/** The lines that are meant for people: what is left when the log is taken away. */
export const welcomeOf = (stdout: string): string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
    .map((line) => line.trim());

/** The lines of the log. */
export const logOf = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('{'));

/** What tests look at of a list. */
interface Listed {
  items: { id: string; title: string }[];
}

/** The first page of the list at `path`. */
export const list = async (url: string, token: string, path: string): Promise<Listed> =>
  (await callerOf(url, token)('GET', path)) as unknown as Listed;
