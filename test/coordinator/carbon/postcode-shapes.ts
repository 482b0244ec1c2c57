/** The form of a country's post codes as the Universal Postal Union states it: 9 a digit, A a letter. */
const shapes = {
  '999': 'BH FO GN IS LS MG OM PG TW',
  '9999': 'AF AL AM AT AU BD BE BG CC CH CV CX CY DK ET GE GL GW HU LI LR LU MK MZ NE NF NO NZ PA PH SI SJ SV TN VE ZA',
  '99999':
    'AS AX BA BL BT CR CU DE DO DZ EE EG ES FI FM FR GF GP GT GU HN HR ID IQ IT JO KE KR KW LA LK LT MA MC ME MF MH MM MN MP MQ MU MV MX MY NC NI NP PE PF PK PM PR PW RE RS SA SD SM SN TH TR TZ UA US UY VA VI VN WF XK YT ZM',
  '999999': 'BY CN CO IN KG KZ NG RO RU SG TJ TM UZ',
  '9999999': 'CL IL',
  '999 99': 'CZ GR SE SK',
  '9999 AA': 'NL',
  '9999 9999': 'LB',
  '99-999': 'PL',
  '999-9999': 'JP',
  '9999-999': 'PT',
  '99999-999': 'BR',
  'A9A 9A9': 'CA',
  A9999AAA: 'AR',
  'AA9A 9AA': 'GB',
  'A99 A9A9': 'IE',
  'AA99 9AA': 'GI',
  'AA9 9AA': 'GG IM JE',
  'AAAA 9AA': 'FK GS IO PN SH TC',
  AA999: 'AD',
  AA9999: 'AZ HT VC VG',
  AA99999: 'BB',
  A999: 'SZ',
  'AA-9999': 'AI LV MD',
  'AA9-9999': 'KY',
  'AA 99': 'BM',
  'AA99 999': 'LC',
  'AAA 9999': 'MT',
};

/** country -> form; countries without post codes are not in it */
export const postcodeShapes: ReadonlyMap<string, string> = new Map(
  Object.entries(shapes).flatMap(([shape, countries]) =>
    countries.split(' ').map((code): [string, string] => [code, shape]),
  ),
);
