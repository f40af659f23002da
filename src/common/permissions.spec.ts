import { ForbiddenException, NotFoundException } from '@nestjs/common';
import { requirePermission } from './permissions.js';

const refusal = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('requirePermission', () => {
  it('says nothing to whoever has the permission', () => {
    requirePermission({ view: true, edit: true }, 'edit', 'Space');
    requirePermission({ view: true, edit: false }, 'view', 'Space');
  });

  it.each(['view', 'edit'] as const)('hides from whoever may not view it, who asks to %s', (needed) => {
    const error = refusal(() => {
      // a right that came without the right to view would be a mistake, and must not show the thing
      requirePermission({ view: false, edit: true }, needed, 'Change request');
    });
    expect(error).toBeInstanceOf(NotFoundException);
    expect(error).toHaveProperty('message', 'Change request not found');
  });

  it('names the permission that a viewer lacks', () => {
    const error = refusal(() => {
      requirePermission({ view: true, edit: false }, 'edit', 'Change request');
    });
    expect(error).toBeInstanceOf(ForbiddenException);
    expect(error).toHaveProperty(
      'message',
      'You may see this change request, but you lack the permission "edit" on it',
    );
  });
});
