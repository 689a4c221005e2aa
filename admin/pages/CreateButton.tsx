import AddRounded from '@mui/icons-material/AddRounded';
import Button from '@mui/material/Button';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { Tip } from '../../console/ui/controls/Tip';
import { adminHref } from '../paths';
import { withArticle } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';

/** The list's one primary action; for those who may not, still there, with the reason. */
export function CreateButton({ resource, href }: { resource: ResourceDescription; href?: string }) {
  const refused = useRefusal()(resource, 'create');
  const label = `Add ${withArticle(resource.singular)}`;
  if (refused === undefined)
    return (
      <LinkButton
        href={href ?? adminHref.create(resource.name)}
        variant="contained"
        color="primary"
        startIcon={<AddRounded />}
      >
        {label}
      </LinkButton>
    );
  return (
    <Tip text={refused}>
      <span>
        <Button disabled startIcon={<AddRounded />}>
          {label}
        </Button>
      </span>
    </Tip>
  );
}
