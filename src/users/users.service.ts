import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { hashPassword, verifyPassword } from './password.js';
import { User } from './user.schema.js';

/** What a new person is made of. */
export interface NewUser {
  email: string;
  displayName: string;
  /** In plain text; left out for people who sign in otherwise. */
  password?: string;
}

/** People and their passwords. */
@Injectable()
export class UsersService {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  /** The person with `id`. @throws NotFoundException when there is none. */
  async get(id: string): Promise<User> {
    const user = await this.find(id);
    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  /** The person with `id`, or `null`. */
  find(id: string): Promise<User | null> {
    return this.users.findById(id).lean<User>();
  }

  /** Those of `ids` that exist, by id, in one query. */
  async getMany(ids: string[]): Promise<Map<string, User>> {
    const users = await this.users.find({ _id: { $in: [...new Set(ids)] } }).lean<User[]>();
    return new Map(users.map((user) => [user._id, user]));
  }

  /** The person with this address in any case, or `null`. */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOne({ email: email.toLowerCase() }).lean<User>();
  }

  /** Whether there is anybody at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.users.findOne({}, { _id: 1 }).lean()) === null;
  }

  /** Makes a person. @throws ConflictException when somebody has the address already. */
  async create({ email, displayName, password }: NewUser): Promise<User> {
    const hash = password === undefined ? null : await hashPassword(password);
    try {
      const user = await this.users.create({ email: email.toLowerCase(), displayName, password: hash });
      return user.toObject<User>();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      throw new ConflictException(`email is taken: there is already an account for ${email.toLowerCase()}`);
    }
  }

  /** Changes what `changes` names. @throws NotFoundException when there is no such person. */
  async update(id: string, changes: { displayName?: string; photoURL?: string | null }): Promise<User> {
    const user = await this.users.findByIdAndUpdate(id, { $set: changes }, { returnDocument: 'after' }).lean<User>();
    if (!user) throw new NotFoundException('User not found');
    return user;
  }

  /** Sets a new password. */
  async setPassword(id: string, password: string): Promise<void> {
    await this.users.updateOne({ _id: id }, { $set: { password: await hashPassword(password) } });
  }

  /** The person with this address if the password is theirs, else `null`; takes equally long either way. */
  async verify(email: string, password: string): Promise<User | null> {
    const user = await this.findByEmail(email);
    return (await verifyPassword(password, user?.password ?? null)) ? user : null;
  }
}
