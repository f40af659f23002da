import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { DomainEvents } from '../common/domain-events.js';
import { newId } from '../common/ids.js';
import { Database } from '../database/index.js';
import { hashPassword, verifyPassword } from './password.js';
import { User } from './user.schema.js';

/** What a new person is made of. */
export interface NewUser {
  email: string;
  displayName: string;
  /** In plain text; left out for people who sign in otherwise. */
  password?: string;
  /** In place of `password`, what {@link UsersService.hash} made of it: that takes too long within a transaction. */
  passwordHash?: string;
}

/** People and their passwords. */
@Injectable()
export class UsersService {
  private readonly byId: (id: string) => Promise<User | null>;

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly database: Database,
    private readonly events: DomainEvents,
  ) {
    this.byId = database.finder(users);
  }

  /** The person with `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<User> {
    const user = await this.find(id);
    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  /** The person with `id`, or `null`. */
  find(id: string): Promise<User | null> {
    return this.byId(id);
  }

  /** Those of `ids` that exist, by id, in one query. */
  async getMany(ids: readonly string[]): Promise<Map<string, User>> {
    const users = await this.users.find({ _id: { $in: [...new Set(ids)] } }).lean<User[]>();
    return new Map(users.map((user) => [user._id, user]));
  }

  /** The person with this address in any case, or `null`. */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOne({ email: email.toLowerCase() }).lean<User>();
  }

  /** Those who have one of the addresses `emails`, in any case, by address in lower case. One query. */
  async findByEmails(emails: readonly string[]): Promise<Map<string, User>> {
    const wanted = [...new Set(emails.map((email) => email.toLowerCase()))];
    const users = await this.users.find({ email: { $in: wanted } }).lean<User[]>();
    return new Map(users.map((user) => [user.email, user]));
  }

  /**
   * Those of `ids` that exist, by id, held until the surrounding transaction ends: a change of their names waits for it.
   * Two commands, however many people there are.
   */
  async hold(ids: readonly string[]): Promise<Map<string, User>> {
    await this.users.updateMany({ _id: { $in: [...ids] } }, { $inc: { joins: 1 } }, { timestamps: false });
    return this.getMany(ids);
  }

  /** Whether one of `ids` at least is more than a placeholder. One read. */
  async hasCome(ids: readonly string[]): Promise<boolean> {
    return (await this.users.exists({ _id: { $in: [...ids] }, placeholder: { $ne: true } })) !== null;
  }

  /** Whether there is anybody at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.users.findOne({}, { _id: 1 }).lean()) === null;
  }

  /** Makes a person. @throws ConflictException when somebody has the address already. */
  async create({ email, displayName, ...secret }: NewUser): Promise<User> {
    const password = await hashOf(secret);
    try {
      const [user] = await this.users.create([{ email: email.toLowerCase(), displayName, password }]);
      if (!user) throw new Error('The person was not made');
      return user.toObject<User>();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      throw taken(email);
    }
  }

  /**
   * Makes a placeholder for each of `emails`, none of which may have an account, by address in lower case; {@link claim}
   * makes a person of it. Two commands.
   */
  async createPlaceholders(emails: readonly string[]): Promise<Map<string, User>> {
    const wanted = emails.map((email) => email.toLowerCase());
    await this.users.insertMany(
      wanted.map((email) => ({ _id: newId(), email, displayName: localPart(email), placeholder: true })),
    );
    return this.findByEmails(wanted);
  }

  /**
   * Lets somebody come for whom there was a placeholder only. @throws ConflictException when they came already.
   */
  async claim(id: string, { displayName, ...secret }: Omit<NewUser, 'email'>): Promise<User> {
    const password = await hashOf(secret);
    return this.database.transaction(async () => {
      const set = { displayName, password, placeholder: false };
      const user = await this.users
        .findOneAndUpdate({ _id: id, placeholder: true }, { $set: set }, { returnDocument: 'after' })
        .lean<User>();
      if (!user) throw taken((await this.get(id)).email);
      await this.events.emit('user.renamed', { user: id, displayName });
      return user;
    });
  }

  /** Changes what `changes` names. @throws NotFoundException when there is no such person. */
  async update(id: string, changes: { displayName?: string; photoURL?: string | null }): Promise<User> {
    const { displayName } = changes;
    return this.database.transaction(async () => {
      const user = await this.users.findByIdAndUpdate(id, { $set: changes }, { returnDocument: 'after' }).lean<User>();
      if (!user) throw new NotFoundException('User not found');
      if (displayName !== undefined) await this.events.emit('user.renamed', { user: id, displayName });
      return user;
    });
  }

  /** Notes that an identity provider vouched for the address. @throws NotFoundException when there is no such person. */
  async confirmEmail(id: string): Promise<User> {
    const set = { emailVerified: true };
    const user = await this.users.findByIdAndUpdate(id, { $set: set }, { returnDocument: 'after' }).lean<User>();
    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  /** The stored form of `password`; takes a while. */
  hash(password: string): Promise<string> {
    return hashPassword(password);
  }

  /** Sets a new password, as {@link hash} made it. */
  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.users.updateOne({ _id: id }, { $set: { password: passwordHash } });
  }

  /**
   * Whether the password of `user` is still the one that they were read with; a change of it waits then until the surrounding
   * transaction ends, or is refused by it.
   */
  async holdPassword({ _id, password }: User): Promise<boolean> {
    const held = await this.users.updateOne({ _id, password }, { $inc: { joins: 1 } }, { timestamps: false });
    return held.matchedCount === 1;
  }

  /** The person with this address if the password is theirs, else `null`; takes equally long either way. */
  async verify(email: string, password: string): Promise<User | null> {
    const user = await this.findByEmail(email);
    return (await verifyPassword(password, user?.password ?? null)) ? user : null;
  }
}

async function hashOf({ password, passwordHash }: Pick<NewUser, 'password' | 'passwordHash'>): Promise<string | null> {
  return passwordHash ?? (password === undefined ? null : hashPassword(password));
}

/** A name for somebody of whom only the address is known. */
function localPart(email: string): string {
  return [...(email.split('@')[0] ?? email)].slice(0, 64).join('');
}

function taken(email: string): ConflictException {
  return new ConflictException(`email is taken: there is already an account for ${email.toLowerCase()}`);
}
