import { isWebAddress } from '../../common/validation.js';

/**
 * `relayState` as an address, when it lies under `app` and has no fragment; else `null`. What is answered is what a browser
 * makes of it.
 */
export function insideApp(relayState: string, app: string): URL | null {
  if (!isWebAddress(relayState) || relayState.includes('#')) return null;
  const [address, base] = [new URL(relayState), new URL(app)];
  if (address.origin !== base.origin || address.username !== '' || address.password !== '') return null;
  const folder = base.pathname.replace(/\/*$/, '/');
  return `${address.pathname}/`.startsWith(folder) ? address : null;
}
