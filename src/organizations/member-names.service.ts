import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { DomainEvents } from '../common/domain-events.js';
import { fold } from '../common/folding.js';
import { Invariants, type Problem } from '../database/index.js';
import { UsersService } from '../users/index.js';
import { Member } from './member.schema.js';

/** Members that are looked at in one go. */
const BATCH = 500;

/** Keeps the names in the records of members those of the people. */
@Injectable()
export class MemberNamesService implements OnModuleInit {
  constructor(
    @InjectModel(Member.name) private readonly members: Model<Member>,
    private readonly users: UsersService,
    private readonly events: DomainEvents,
    private readonly invariants: Invariants,
  ) {}

  /** Listens for new names, and adds the invariant. */
  onModuleInit(): void {
    this.events.on('user.renamed', async ({ user, displayName }) => {
      await this.members.updateMany({ user }, { $set: { name: fold(displayName) } }, { timestamps: false });
    });
    this.invariants.add('every member is found by the name and the e-mail address of the person', () =>
      this.misnamed(),
    );
  }

  private async *misnamed(): AsyncGenerator<Problem> {
    for (let after = ''; ;) {
      const members = await this.members
        .find({ _id: { $gt: after } }, { user: 1, name: 1, email: 1 })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<Member[]>();
      yield* this.misnamedIn(members);
      const last = members.at(-1);
      if (!last || members.length < BATCH) return;
      after = last._id;
    }
  }

  private async *misnamedIn(members: readonly Member[]): AsyncGenerator<Problem> {
    const users = await this.users.getMany(members.map(({ user }) => user));
    for (const { _id, user, name, email } of members) {
      const person = users.get(user);
      const where = `member ${_id}`;
      if (!person) yield { where, what: `the person ${user} does not exist` };
      else if (name !== fold(person.displayName) || email !== fold(person.email)) {
        const set = { name: fold(person.displayName), email: fold(person.email) };
        yield {
          where,
          what: `is found by "${name}" and "${email}", which is not what ${user} is called`,
          repair: async () => {
            await this.members.updateOne({ _id }, { $set: set }, { timestamps: false });
          },
        };
      }
    }
  }
}
