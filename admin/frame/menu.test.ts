import { expect, test } from 'vitest';
import { permissions } from '../../generated/api/permissions.gen';
import { adminSections } from '../../console/features/shell/adminMenu';
import { permissionsOfStaff } from '../../server/domain/permissions';
import { menuOf } from './Layout';

test.each(['support', 'finance', 'infra', 'admin'])(
  'who is %s finds the same menu here and around the pages of a CVM, which are the console’s',
  (role) => {
    const may = permissionsOfStaff(role);
    expect(adminSections(may, '').map(plain)).toEqual(menuOf(may, 'nowhere').map(plain));
    expect(Object.keys(permissions)).toEqual(expect.arrayContaining(may));
  },
);

/** Where one is differs: there it is a CVM. */
const plain = ({ label, items }: ReturnType<typeof menuOf>[number]) => ({
  label,
  items: items.map((item) => [item.label, item.href]),
});
