import { Route } from 'react-router';
import type { ResourceDescription } from '../schema/types';
import { childrenOf } from './related/children';
import { withPageSkeleton } from './lazyPage';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

const ChildPage = lazyWithRetry(() => import('./ChildPage').then((m) => ({ default: m.ChildPage })));

/**
 * Routes below a record, from references in the API document: `:id/gpus`, `:id/gpus/create`, `:id/gpus/:childId`,
 * `:id/gpus/:childId/edit`, and lists that reference those records (`:id/apps/:childId/cvms`).
 */
export const childRoutes = (parent: ResourceDescription) =>
  childrenOf(parent).flatMap((child) => {
    const path = `:id/${child.resource.name}`;
    const { create, show, edit } = child.resource.permissions;
    const page = (rest: string, form: 'list' | 'create' | 'show' | 'edit') => (
      <Route
        key={path + rest}
        path={path + rest}
        element={withPageSkeleton(<ChildPage parent={parent} child={child} form={form} />)}
      />
    );
    return [
      page('', 'list'),
      ...(create === undefined ? [] : [page('/create', 'create')]),
      ...(show === undefined ? [] : [page('/:childId', 'show')]),
      ...(edit === undefined ? [] : [page('/:childId/edit', 'edit')]),
      ...(show === undefined ? [] : childrenOf(child.resource)).map((grandchild) => (
        <Route
          key={`${path}/${grandchild.resource.name}`}
          path={`${path}/:childId/${grandchild.resource.name}`}
          element={withPageSkeleton(
            <ChildPage parent={parent} child={child} form="grandchildren" grandchild={grandchild} />,
          )}
        />
      )),
    ];
  });
