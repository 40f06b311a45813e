/* What Wine 8 lacks of Windows 10: the source of random numbers that Rust's standard library asks. For tests alone. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
