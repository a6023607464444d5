/** Addresses in the columns of OpenAddresses. The points are made up. */
export const CSV = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
5.040000,47.322000,10,Avenue du Maréchal Foch,,Dijon,,,21000,,
5.040500,47.323000,12,Avenue du Maréchal Foch,,Dijon,,,21000,,
5.041500,47.325000,16,Avenue du Maréchal Foch,,Dijon,,,21000,,
5.043000,47.320000,3,Rue des Écoles,,Dijon,,,21000,,
5.043100,47.320100,3 TER,Rue des Écoles,,Dijon,,,21000,,
4.840000,47.022000,3,Rue des Écoles,,Beaune,,,21200,,
4.841000,47.023000,8,Rue du 8 Mai 1945,,Beaune,,,21200,,
4.842000,47.024000,21,Place de la Halle,,Beaune,,,21200,,
`;
