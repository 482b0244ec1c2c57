import type { Connector } from '../connector.ts';
import { aggregator } from './aggregator.ts';
import { amazonBuybox } from './amazon-buybox.ts';
import { awsPricingPage } from './aws-pricing-page.ts';
import { azureRetail } from './azure-retail.ts';
import { cheapestByProvider } from './cheapest-by-provider.ts';
import { ebaySold } from './ebay-sold.ts';
import { ec2instances } from './ec2instances.ts';
import { fsdlCloud, fsdlServerless } from './fsdl.ts';
import { gpuhuntTpu } from './gpuhunt-tpu.ts';
import { gpuhunt } from './gpuhunt.ts';
import { neocloudDaily } from './neocloud-daily.ts';
import { observations } from './observations.ts';
import { pcPart } from './pc-part.ts';
import { primeIntellect } from './prime-intellect.ts';
import { retailCsv } from './retail-csv.ts';
import { runpodGpuTypes } from './runpod-gpu-types.ts';
import { skypilot } from './skypilot.ts';
import { vastBundles } from './vast-bundles.ts';

/** Every format of accelerator prices that `ingest` reads. In a `url`, `{provider}` is replaced by `--provider`. */
export const allConnectors: readonly Connector[] = [
  gpuhunt,
  skypilot,
  ec2instances,
  awsPricingPage,
  azureRetail,
  vastBundles,
  runpodGpuTypes,
  primeIntellect,
  gpuhuntTpu,
  fsdlCloud,
  fsdlServerless,
  neocloudDaily,
  observations,
  aggregator,
  cheapestByProvider,
  pcPart,
  amazonBuybox,
  ebaySold,
  retailCsv,
];
