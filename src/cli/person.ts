import type { INestApplicationContext } from '@nestjs/common';
import type { User } from '../users/index.js';

/** The person with the address `email`. @throws Error when there is nobody, or nobody who has come yet. */
export async function personOf(app: INestApplicationContext, email: string): Promise<User> {
  const { UsersService } = await import('../users/index.js');
  const found = await app.get(UsersService, { strict: false }).findByEmail(email);
  if (!found) throw new Error(`There is nobody with the address ${email}: make them with "user create"`);
  if (found.placeholder) throw new Error(`${email} was invited and has not come yet: nobody can act as them`);
  return found;
}
