import { getMetadataStorage, type MetadataStorage } from 'class-validator';

/** Whether it does already: there is one storage for all applications of a process. */
let remembers = false;

type Find = MetadataStorage['getTargetValidationMetadatas'];

/**
 * Has class-validator remember what it finds out about a class: for each object that it validates it looks through all classes that
 * there are. They are all read before the first request, so that what it found stays true.
 */
export function rememberMetadata(): void {
  if (remembers) return;
  remembers = true;
  const storage = getMetadataStorage();
  const find: Find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new WeakMap<object, Map<string, ReturnType<Find>>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups): ReturnType<Find> => {
    const asked = JSON.stringify([schema, always, strictGroups, groups]);
    const ofTarget = known.get(target) ?? new Map<string, ReturnType<Find>>();
    known.set(target, ofTarget);
    const found = ofTarget.get(asked) ?? find(target, schema, always, strictGroups, groups);
    ofTarget.set(asked, found);
    return found;
  };
}
