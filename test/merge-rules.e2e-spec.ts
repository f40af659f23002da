import { type ChangeRequest, ReviewsService } from '../src/change-requests/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const NONE = { rules: [], bypass: [] };

describe('merge rules', () => {
  let app: TestApp;
  let reviews: ReviewsService;

  beforeAll(async () => {
    app = await startApp();
    reviews = app.nest.get(ReviewsService, { strict: false });
  });
  afterAll(() => app.close());

  /** A space with a change request, in an organization in which somebody holds each of `roles`. */
  async function given<R extends string>(...roles: R[]) {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const users = {} as Record<R, TestUser>;
    for (const role of roles) users[role] = await app.create.user({ in: organization, role: role as never });
    const changeRequest = await app.create.changeRequest({ space });
    return {
      organization,
      space,
      users,
      admin: organization.admin,
      changeRequest,
      above: `/v1/orgs/${organization._id}/merge-rules`,
      own: `/v1/spaces/${space._id}/merge-rules`,
      below: `/v1/spaces/${space._id}/change-requests/1`,
    };
  }

  const put = async (user: TestUser, path: string, body: object) => app.as(user).put(path).send(body).expect(200);
  const mergeability = async (user: TestUser, below: string) =>
    (await app.as(user).get(`${below}/mergeability`).expect(200)).body as {
      mergeable: boolean;
      outdated: boolean;
      conflicts: unknown[];
      rules: { rule: { kind: string }; passed: boolean; message: string }[];
    };
  const passed = async (user: TestUser, below: string) =>
    (await mergeability(user, below)).rules.map((one) => [one.rule.kind, one.passed]);

  it('are none unless somebody sets them', async () => {
    const { admin, above, own, below } = await given();
    expect((await app.as(admin).get(above).expect(200)).body).toEqual(NONE);
    expect((await app.as(admin).get(own).expect(200)).body).toEqual({ inherit: true, ...NONE });
    expect(await mergeability(admin, below)).toEqual({ mergeable: true, outdated: false, conflicts: [], rules: [] });
  });

  it('are set in place of the former ones', async () => {
    const { admin, users, above, own } = await given('review');
    const rules = [
      { kind: 'approvals', count: 2 },
      { kind: 'all-approve' },
      { kind: 'reviewers', users: [users.review._id, admin._id], match: 'any' },
      { kind: 'up-to-date' },
      { kind: 'subject-present' },
    ];
    const body = { rules, bypass: [admin._id] };
    expect((await put(admin, above, { ...body, inherit: false, more: 1 })).body).toEqual(body);
    expect((await app.as(admin).get(above).expect(200)).body).toEqual(body);
    expect((await put(admin, own, body)).body).toEqual({ inherit: true, ...body });
    expect((await put(admin, own, { inherit: false, ...NONE })).body).toEqual({ inherit: false, ...NONE });
    expect((await app.as(admin).get(own).expect(200)).body).toEqual({ inherit: false, ...NONE });
    expect((await app.as(admin).get(above).expect(200)).body).toEqual(body);
  });

  it('are for administrators alone', async () => {
    const { users, above, own } = await given('create');
    const stranger = await app.create.user();
    for (const path of [above, own]) {
      await app.anonymous().get(path).expect(401);
      await app.anonymous().put(path).send(NONE).expect(401);
      await app.as(users.create).get(path).expect(403);
      await app.as(users.create).put(path).send({}).expect(403);
      await app.as(stranger).get(path).expect(404);
      await app.as(stranger).put(path).send(NONE).expect(404);
    }
  });

  it.each<[object, string]>([
    [{ bypass: [] }, 'rules must be a list of at most 20'],
    [
      { rules: [{ kind: 'luck' }], bypass: [] },
      'rules.0.kind must be one of: approvals, all-approve, reviewers, up-to-date, subject-present',
    ],
    [{ rules: [{ kind: 'approvals', count: 1, users: [] }], bypass: [] }, 'rules.0 must have no "users"'],
    [{ rules: [] }, 'bypass must be a list of at most 100 ids of people, each once'],
    [{ rules: [], bypass: ['ann', 'ann'] }, 'bypass must be a list of at most 100 ids of people, each once'],
    [{ rules: [], bypass: [null] }, 'bypass must be a list of at most 100 ids of people, each once'],
    [{ rules: [], bypass: ['nobody'] }, 'bypass names who is no member of the organization: nobody'],
    [
      { rules: [{ kind: 'reviewers', users: ['nobody'], match: 'all' }], bypass: [] },
      'rules names who is no member of the organization: nobody',
    ],
  ])('are not set to %j', async (body, message) => {
    const { admin, above, own } = await given();
    for (const path of [above, own]) {
      const answer = await app.as(admin).put(path).send(body).expect(400);
      expect(answer.body).toEqual({ error: { code: 400, message } });
    }
    expect((await app.as(admin).get(above).expect(200)).body).toEqual(NONE);
  });

  it('of a space say clearly whether they inherit', async () => {
    const { admin, own } = await given();
    for (const inherit of [null, 'true', 1]) {
      const { body } = await app
        .as(admin)
        .put(own)
        .send({ ...NONE, inherit })
        .expect(400);
      expect(body).toEqual({ error: { code: 400, message: 'inherit must be true or false' } });
    }
    await app.as(admin).put(own).expect(400);
  });

  it('of the organization come before those of the space, unless it does without', async () => {
    const { admin, above, own, below } = await given();
    await put(admin, above, { rules: [{ kind: 'approvals', count: 1 }], bypass: [] });
    expect(await passed(admin, below)).toEqual([['approvals', false]]);
    await put(admin, own, { rules: [{ kind: 'up-to-date' }], bypass: [] });
    expect(await passed(admin, below)).toEqual([
      ['approvals', false],
      ['up-to-date', true],
    ]);
    await put(admin, own, { inherit: false, rules: [{ kind: 'up-to-date' }], bypass: [] });
    expect(await passed(admin, below)).toEqual([['up-to-date', true]]);
    await put(admin, own, { inherit: false, ...NONE });
    expect(await mergeability(admin, below)).toMatchObject({ mergeable: true, rules: [] });
  });

  it('go by what each reviewer said last', async () => {
    const { admin, users, changeRequest, own, below } = await given('review', 'create');
    const one = { kind: 'reviewers', users: [users.review._id], match: 'all' };
    await put(admin, own, { rules: [{ kind: 'approvals', count: 2 }, { kind: 'all-approve' }, one], bypass: [] });
    const say = (reviewer: TestUser, status: 'approved' | 'changes-requested') =>
      reviews.create(changeRequest, { reviewer: reviewer._id, status });
    const verdicts = async () => (await mergeability(admin, below)).rules.map((rule) => rule.passed);
    expect(await verdicts()).toEqual([false, true, false]);
    await say(users.review, 'approved');
    expect(await verdicts()).toEqual([false, true, true]);
    await say(users.review, 'approved');
    expect(await verdicts()).toEqual([false, true, true]);
    await say(users.create, 'changes-requested');
    expect(await verdicts()).toEqual([false, false, true]);
    await say(users.create, 'approved');
    expect(await verdicts()).toEqual([true, true, true]);
    await say(users.review, 'changes-requested');
    expect(await verdicts()).toEqual([false, false, false]);
    expect((await mergeability(admin, below)).rules[1]).toEqual({
      rule: { kind: 'all-approve' },
      passed: false,
      message: `Settle the changes that were requested, and have these people review again: ${users.review._id}`,
    });
  });

  it('hold a merge back, saying what to do, but not for who may bypass them', async () => {
    const { admin, users, above, own, below } = await given('review', 'create');
    await put(admin, above, { rules: [{ kind: 'approvals', count: 1 }], bypass: [users.create._id] });
    await put(admin, own, { rules: [{ kind: 'up-to-date' }, { kind: 'subject-present' }], bypass: [] });
    const { body } = await app.as(users.review).post(`${below}/merge`).expect(412);
    const message =
      'Merge rules hold this back. approvals: 1 approval is needed: ask 1 more person to approve. ' +
      'subject-present: Give it a subject';
    expect(body).toEqual({ error: { code: 412, message } });
    expect((await app.as(admin).get(below).expect(200)).body).toMatchObject({ status: 'draft' });
    expect(await mergeability(users.review, below)).toMatchObject({ mergeable: false });
    // an administrator is held back like everybody else
    await app.as(admin).post(`${below}/merge`).expect(412);
    expect(await mergeability(users.create, below)).toMatchObject({ mergeable: true });
    await app.as(users.create).post(`${below}/merge`).expect(200);
    expect(await mergeability(users.create, below)).toMatchObject({ mergeable: false, outdated: false, conflicts: [] });
  });

  it('let a merge pass when all of them hold', async () => {
    const { admin, users, changeRequest, own, below } = await given('review');
    const rules = [{ kind: 'approvals', count: 1 }, { kind: 'subject-present' }, { kind: 'up-to-date' }];
    await put(admin, own, { rules, bypass: [] });
    await app.as(admin).patch(below).send({ subject: 'Ready' }).expect(200);
    await reviews.create(changeRequest, { reviewer: users.review._id, status: 'approved' });
    const edit = { operation: 'insert_page', title: 'New', document: { markdown: 'New\n' } };
    await app
      .as(admin)
      .post(below.replace('/change-requests/1', '/content'))
      .send({ changes: [edit] })
      .expect(200);
    expect(await mergeability(admin, below)).toMatchObject({ mergeable: false, outdated: true });
    await app.as(admin).post(`${below}/merge`).expect(412);
    await app.as(admin).post(`${below}/update`).expect(200);
    expect(await mergeability(admin, below)).toMatchObject({ mergeable: true, outdated: false });
    await app.as(admin).post(`${below}/merge`).expect(200);
  });

  it('are told of to whoever has access, for a change request that is there', async () => {
    const { users, below } = await given('read');
    const path = `${below}/mergeability`;
    await app.anonymous().get(path).expect(401);
    await app
      .as(await app.create.user())
      .get(path)
      .expect(404);
    await app.as(users.read).get(path).expect(200);
    const { body } = await app.as(users.read).get(path.replace('/1/', '/2/')).expect(404);
    expect(body).toEqual({ error: { code: 404, message: 'Change request not found' } });
  });

  it('come with the conflicts that a merge would meet', async () => {
    const { admin, space, below } = await given();
    const content = `/v1/spaces/${space._id}/content`;
    const page = { operation: 'insert_page', title: 'Page', document: { markdown: 'One\n' } };
    const made = await app
      .as(admin)
      .post(content)
      .send({ changes: [page] })
      .expect(200);
    const id = (made.body as { changes: { page: { id: string } }[] }).changes[0]?.page.id ?? '';
    const write = (markdown: string) => ({ changes: [{ operation: 'update_page', page: id, document: { markdown } }] });
    await app.as(admin).post(`/v1/spaces/${space._id}/change-requests`).expect(201);
    const other = below.replace(/1$/, '2');
    await app.as(admin).post(`${other}/content`).send(write('Two\n')).expect(200);
    await app.as(admin).post(content).send(write('Three\n')).expect(200);
    expect(await mergeability(admin, other)).toEqual({
      mergeable: false,
      outdated: true,
      conflicts: [{ page: id, path: 'page', kind: 'text', base: 'One\n', ours: 'Two\n', theirs: 'Three\n' }],
      rules: [],
    });
    const archived: Pick<ChangeRequest, 'status'> = { status: 'archived' };
    await app.as(admin).patch(other).send(archived).expect(200);
    expect(await mergeability(admin, other)).toMatchObject({ mergeable: false, outdated: true });
  });
});
