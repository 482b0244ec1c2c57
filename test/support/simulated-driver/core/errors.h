// Result codes that both vendors share (cuda.h, hip_runtime_api.h), and their names.
#pragma once

namespace gpumark::sim {

enum class Vendor { nvidia, amd };

enum Code : int {
  kOk = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInsufficientDriver = 35,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinary = 209,
  kEccUncorrectable = 214,
  kPeerUnsupported = 217,
  kInvalidPtx = 218,
  kUnsupportedPtx = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kPeerAlreadyEnabled = 704,
  kLaunchFailed = 719,
  kNotSupported = 801,
  kDriverMismatch = 803,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureUnmatched = 903,
  kCaptureIsolation = 905,
  kCaptureImplicit = 906,
  kCapturedEvent = 907,
  kCaptureWrongThread = 908,
  kUnknown = 999,
};

/** The vendor's name for a code; null if it has none. */
const char* error_name(Vendor vendor, int code);

}  // namespace gpumark::sim
