import { createServer } from 'node:net';
import { promisify } from 'node:util';

/** A free port that nobody else can take, until it is let go. */
export interface HeldPort {
  port: number;
  /** Lets it go: to be called just before listening on it, since from then on anybody may take it. */
  release: () => Promise<void>;
}

/** Any port that is free on this machine. */
export async function holdPort(): Promise<HeldPort> {
  // whoever comes before the service is there is turned away: to be let go, the port waits for all connections
  const holder = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = holder.address();
  if (typeof address !== 'object' || !address) throw new Error('A port that is listened on has no address');
  return { port: address.port, release: promisify(holder.close.bind(holder)) };
}
