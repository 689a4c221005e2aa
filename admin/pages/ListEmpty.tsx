import { useListContext } from 'react-admin';
import Button from '@mui/material/Button';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { EmptyState } from '../../console/ui/feedback/EmptyState';
import { withArticle } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { Total } from './ListAside';

interface Props {
  resource: ResourceDescription;
  fixed: Readonly<Record<string, unknown>>;
  createHref: string | undefined;
}

/** A list without rows: because of its filters, which are then counted, or because there is nothing yet. */
export function ListEmpty({ resource, fixed, createHref }: Props) {
  const { filterValues, setFilters } = useListContext();
  const refused = useRefusal()(resource, 'create');
  const filters = Object.keys(filterValues as object).length;
  if (filters > 0)
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <Button variant="outlined" onClick={() => setFilters({})}>
            Show all
          </Button>
        }
      >
        0 of <Total resource={resource} filter={fixed} /> ({filters === 1 ? '1 filter' : `${filters} filters`}
        )
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No ${resource.plural} yet`}
      {...(refused === undefined && createHref !== undefined
        ? {
            action: (
              <LinkButton href={createHref} variant="contained" color="primary">
                Add {withArticle(resource.singular)}
              </LinkButton>
            ),
          }
        : {})}
    >
      {resource.about}
    </EmptyState>
  );
}
