import { useListContext } from 'react-admin';
import { Button, LinkButton } from '../../console/ui/controls/Button';
import { EmptyState } from '../../console/ui/feedback/EmptyState';
import { createLabel } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { Total } from './ListAside';
import { pictureOf } from './listPicture';

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  createHref: string | undefined;
}

/** A list that excludes deleted records can't say that there never were any. */
export const emptyTitle = (
  { plural, goneAt }: Pick<ResourceDescription, 'plural' | 'goneAt'>,
  fixed: Props['fixed'],
): string => `No ${plural}${goneAt !== undefined && Object.hasOwn(fixed, goneAt) ? '' : ' yet'}`;

/** Empty state of a list, with or without active filters. */
export function ListEmpty({ resource, fixed, createHref }: Props) {
  const { filterValues, setFilters } = useListContext();
  const refused = useRefusal()(resource, 'create');
  const filters = Object.keys(filterValues as object).length;
  if (filters > 0)
    return (
      <EmptyState
        picture="search"
        title="No matches"
        action={
          <Button variant="outlined" onClick={() => setFilters({})}>
            Clear filters
          </Button>
        }
      >
        0 of <Total resource={resource} filter={fixed} /> ({filters === 1 ? '1 filter' : `${filters} filters`}
        )
      </EmptyState>
    );
  return (
    <EmptyState
      picture={pictureOf(resource)}
      title={emptyTitle(resource, fixed)}
      {...(refused === undefined && createHref !== undefined
        ? {
            action: (
              <LinkButton href={createHref} variant="contained">
                {createLabel(resource)}
              </LinkButton>
            ),
          }
        : {})}
    />
  );
}
