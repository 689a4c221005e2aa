import PlusIcon from 'lucide-react/icons/plus';
import { Button, LinkButton } from '../../console/ui/controls/Button';
import { Tip } from '../../console/ui/controls/Tip';
import { adminHref } from '../paths';
import { createLabel } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';

/** The list's primary action; disabled with the reason if not permitted. */
export function CreateButton({ resource, href }: { resource: ResourceDescription; href?: string }) {
  const refused = useRefusal()(resource, 'create');
  const label = createLabel(resource);
  if (refused === undefined)
    return (
      <LinkButton href={href ?? adminHref.create(resource.name)} variant="contained" startIcon={<PlusIcon />}>
        {label}
      </LinkButton>
    );
  return (
    <Tip text={refused}>
      <span>
        <Button disabled startIcon={<PlusIcon />}>
          {label}
        </Button>
      </span>
    </Tip>
  );
}
