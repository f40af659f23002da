import type { Act, Acts, Plan, Thing, World } from './world.js';

const within = (w: World): Record<string, string> => ({ organizationId: w.organization });
const spacePath = (id: string): string => `/v1/spaces/${id}`;
/** All of them may review. */
const ROLES = ['review', 'create', 'admin'];

/** A space that nothing was done with yet, and that stands in no collection. */
const spare = (w: World): Thing | undefined => w.one('spare', ({ note }) => note.parent === '');

/** Entries of people and teams in a space or a collection. */
function entriesIn(place: 'Space' | 'Collection'): Acts {
  const kind = place === 'Space' ? 'space' : 'collection';
  const param = place === 'Space' ? 'spaceId' : 'collectionId';
  const pathOf = (thing: Thing, side: string, id: string): string =>
    `/v1/${kind}s/${thing.id}/permissions/${side}?limit=1000#${id}`;
  const invite = (side: 'users' | 'teams', who: string): Act => {
    return (w) => {
      const [thing, one] = [w.one(kind), w.one(who)];
      const id = `${thing?.id ?? ''}:${one?.id ?? ''}`;
      if (!thing || !one || w.one('entry', (entry) => entry.id === id)) return undefined;
      const path = pathOf(thing, side, one.id);
      const { value: role, keep } = w.other(id, ROLES);
      return {
        at: { [param]: thing.id },
        body: { [side]: [one.id], role },
        resource: thing.id,
        tells: () => [{ at: path, fields: { permission: role } }],
        leaves: () => {
          keep();
          w.add({ kind: 'entry', id, path, of: [thing.id, one.id], note: { kind, side, on: thing.id, who: one.id } });
        },
      };
    };
  };
  const entry = (w: World, side: string): Thing | undefined =>
    w.one('entry', ({ note }) => note.kind === kind && note.side === side);
  const at = ({ note: { on = '', side, who = '' } }: Thing): Record<string, string> => ({
    [param]: on,
    [side === 'users' ? 'userId' : 'teamId']: who,
  });
  const update = (side: string): Act => {
    return (w) => {
      const one = entry(w, side);
      if (!one) return undefined;
      const { value: role, keep } = w.other(one.id, ROLES);
      const fields = { permission: role };
      return { ...w.change(one, at(one), { role }, fields), resource: one.note.on, leaves: keep };
    };
  };
  const remove = (side: string): Act => {
    return (w) => {
      const one = entry(w, side);
      return one && { ...w.remove(one, at(one)), resource: one.note.on };
    };
  };
  return {
    [`inviteTo${place}`]: [invite('users', 'member'), invite('teams', 'team')],
    [`updateUserPermissionIn${place}`]: update('users'),
    [`updateTeamPermissionIn${place}`]: update('teams'),
    [`removeUserFrom${place}`]: remove('users'),
    [`removeTeamFrom${place}`]: remove('teams'),
  };
}

/** Plans to make a space; `kind` says what it is for. */
const make = (kind: string, most: number): Act => {
  return (w) => {
    const title = w.mark();
    return w.make(kind, {
      at: within(w),
      body: { title },
      path: spacePath,
      fields: { title, organization: w.organization },
      most,
      note: { parent: '' },
      trace: { at: `${w.home}/spaces?limit=1000`, text: title },
    });
  };
};

/** Plans to put a thing into a collection, or out of it. */
function moved(w: World, thing: Thing, param: string): Plan | undefined {
  const into = thing.note.parent === '' ? w.one('collection', (one) => one !== thing && one.note.parent === '') : null;
  if (into === undefined) return undefined;
  const parent = into?.id;
  const plan = w.change(thing, { [param]: thing.id }, { parent: parent ?? null }, { parent });
  return {
    ...plan,
    leaves: () => {
      thing.note.parent = parent ?? '';
    },
  };
}

/** Whether nothing stands in `collection`. */
const isEmpty = (w: World, { id }: Thing): boolean => !w.things.some(({ note }) => note.parent === id);

/** Spaces as such, and collections. */
export const SPACES: Acts = {
  ...entriesIn('Space'),
  ...entriesIn('Collection'),
  createSpace: [make('space', 2), make('spare', 5)],
  updateSpaceById: (w) => {
    const space = w.one('spare') ?? w.one('space');
    return space && w.change(space, { spaceId: space.id }, { title: w.mark() });
  },
  duplicateSpace: (w) => {
    const space = w.one('space');
    if (!space || w.all('spare').length > 5) return undefined;
    return {
      at: { spaceId: space.id },
      tells: (id) => [{ at: spacePath(id), fields: { organization: w.organization } }],
      leaves: (id) => {
        w.add({ kind: 'spare', id, path: spacePath(id), note: { parent: '' } });
      },
    };
  },
  moveSpace: (w) => {
    const space = w.one('spare');
    return space && moved(w, space, 'spaceId');
  },
  transferSpace: (w) => {
    const [space, other] = [spare(w), w.one('organization')];
    if (!space || !other) return undefined;
    const organization = other.id;
    return {
      at: { spaceId: space.id },
      body: { organization },
      resource: space.id,
      also: organization,
      tells: () => [{ at: space.path, fields: { organization } }],
      leaves: () => {
        w.drop(space.id);
      },
    };
  },
  deleteSpaceById: (w) => {
    const space = spare(w);
    if (!space) return undefined;
    const plan = w.remove(space, { spaceId: space.id });
    return {
      ...plan,
      tells: () => [{ at: `${w.home}/spaces?limit=1000#${space.id}`, gone: true }],
      leaves: () => {
        w.drop(space.id);
        if (w.all('trash').length < 3) w.add({ ...space, kind: 'trash' });
      },
    };
  },
  restoreSpace: (w) => {
    const space = w.one('trash');
    return (
      space && {
        at: { spaceId: space.id },
        resource: space.id,
        tells: () => [
          { at: `${w.home}/spaces?limit=1000#${space.id}`, fields: { id: space.id } },
          { at: space.path, fields: { deletedAt: undefined } },
        ],
        leaves: () => {
          w.drop(space.id);
          w.add({ ...space, kind: 'spare' });
        },
      }
    );
  },
  setSpaceMergeRules: (w) => {
    const space = w.one('space');
    if (!space) return undefined;
    const { value: bypass, keep } = w.other(`bypass of ${space.id}`, [w.user, '']);
    const list = bypass === '' ? [] : [bypass];
    return {
      at: { spaceId: space.id },
      body: { inherit: false, rules: [], bypass: list },
      resource: space.id,
      tells: () => [{ at: `${space.path}/merge-rules`, fields: { inherit: false, bypass: list } }],
      leaves: keep,
    };
  },
  createCollection: (w) => {
    const title = w.mark();
    const path = (id: string): string => `/v1/collections/${id}`;
    const trace = { at: `${w.home}/collections?limit=1000`, text: title };
    const note = { parent: '' };
    return w.make('collection', { at: within(w), body: { title }, path, fields: { title }, most: 4, note, trace });
  },
  updateCollectionById: (w) => {
    const collection = w.one('collection');
    const [title, description] = [w.mark(), w.mark()];
    return collection && w.change(collection, { collectionId: collection.id }, { title, description });
  },
  moveCollection: (w) => {
    const collection = w.one('collection', (one) => isEmpty(w, one));
    return collection && moved(w, collection, 'collectionId');
  },
  deleteCollectionById: (w) => {
    const collection = w.one('collection', (one) => isEmpty(w, one));
    return collection && w.remove(collection, { collectionId: collection.id });
  },
};
