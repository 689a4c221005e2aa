import { useQuery } from '@tanstack/react-query';
import { balanceOptions } from '../../../api/runway';
import { useState } from 'react';
import type { Order, OrderProduct } from '../../../../generated/api/types.gen';
import { Button } from '../../../ui/controls/Button';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { TransferDetails } from '../TransferDetails';
import { OrderForm } from './OrderForm';

interface Props {
  teamSlug: string;
  product: OrderProduct;
  onClose: () => void;
}

/** Orders a product, then shows where to send the money if the balance didn't cover it. */
export function OrderDialog({ teamSlug, product, onClose }: Props) {
  const [waiting, setWaiting] = useState<Order>();
  const { data: billing } = useQuery(balanceOptions(teamSlug));
  return (
    <FormDialog
      open
      onClose={onClose}
      title={waiting ? 'Send the transfer' : `Reserve ${product.name}`}
      intro={
        waiting
          ? 'Include the reference in your bank transfer. The reservation starts once it arrives. Its capacity is held for five days.'
          : product.description === ''
            ? undefined
            : product.description
      }
    >
      {waiting?.payment ? (
        <>
          <TransferDetails payment={waiting.payment} bank={billing?.bank_transfer ?? null} />
          <DialogActions>
            <Button variant="contained" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <OrderForm
          teamSlug={teamSlug}
          product={product}
          billing={billing}
          onWaiting={setWaiting}
          onClose={onClose}
        />
      )}
    </FormDialog>
  );
}
