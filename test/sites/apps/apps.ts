import type { App, AppOptions } from './app.ts';
import { backOfficeDefects, startBackOffice } from './back-office/back-office.ts';
import { serviceDefects, startService } from './service/service.ts';
import { shopDefects, startShop } from './shop/shop.ts';

export type { App, AppOptions, GoldUseCase } from './app.ts';
export { drifts } from './drift.ts';
export { startBackOffice, startShop };

interface KnownApp<Defect extends string> {
  name: string;
  defects: readonly Defect[];
  start(options?: AppOptions<Defect>): Promise<App>;
}

function known<Defect extends string>(app: KnownApp<Defect>): KnownApp<Defect> {
  return app;
}

/** The three applications that scans and tests are measured with. */
export const apps = {
  shop: known({ name: 'shop', defects: shopDefects, start: startShop }),
  'back-office': known({ name: 'back office', defects: backOfficeDefects, start: startBackOffice }),
  service: known({ name: 'service site', defects: serviceDefects, start: startService }),
};
